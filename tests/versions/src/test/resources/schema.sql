create table if not exists orders (id bigint generated always as identity primary key, article varchar(40) not null);
