create table if not exists booking (
	payment varchar(36) not null,
	consumer varchar(36) not null
);
