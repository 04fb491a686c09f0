create table if not exists idempotent_receipt (
	operation_key binary(32) not null primary key,
	owner binary(16) not null,
	attempt integer not null,
	operation varchar(255) not null,
	created_at bigint not null,
	answer binary large object,
	fingerprint binary(32)
);

create index if not exists idempotent_receipt_age on idempotent_receipt (created_at);
