create table orders (id bigint generated always as identity primary key, article varchar(40) not null);
