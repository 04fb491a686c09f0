create table if not exists purchase (id bigint generated always as identity primary key, node varchar(20) not null);
