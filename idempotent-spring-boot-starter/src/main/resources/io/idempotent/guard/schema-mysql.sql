create table if not exists idempotent_fence (
	name varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
	token bigint not null
) engine = InnoDB;

create table if not exists idempotent_receipt (
	operation_key binary(32) not null primary key,
	owner binary(16) not null,
	attempt integer not null,
	operation varchar(255) character set utf8mb4 not null,
	created_at bigint not null,
	answer longblob,
	index idempotent_receipt_age (created_at)
) engine = InnoDB;
