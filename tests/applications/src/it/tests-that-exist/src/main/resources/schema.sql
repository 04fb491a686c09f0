create table orders (id bigint generated always as identity primary key, article varchar(40) not null);
create table reviews (id bigint generated always as identity primary key, text varchar(400) not null);
