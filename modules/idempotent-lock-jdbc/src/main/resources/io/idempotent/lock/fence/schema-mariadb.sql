create table if not exists idempotent_fence (
	name varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null primary key,
	token bigint not null
) engine = InnoDB;
