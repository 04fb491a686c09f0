create table if not exists idempotent_fence (
	name varchar(255) collate "C" not null primary key,
	token bigint not null
);
