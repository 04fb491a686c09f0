create table if not exists idempotent_receipt (
	operation_key binary(32) not null primary key,
	owner binary(16) not null,
	attempt integer not null,
	operation varchar(255) character set utf8mb4 not null,
	created_at bigint not null,
	answer longblob,
	fingerprint binary(32),
	index idempotent_receipt_age (created_at)
) engine = InnoDB;
