create table booking (id int generated always as identity primary key, payment varchar(50), amount decimal(10, 2));
