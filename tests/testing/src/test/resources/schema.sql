create table orders (id bigint auto_increment primary key, article varchar(100) not null);
