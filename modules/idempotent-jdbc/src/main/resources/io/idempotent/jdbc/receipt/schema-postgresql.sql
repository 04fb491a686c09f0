create table if not exists idempotent_receipt (
	operation_key bytea not null primary key,
	owner bytea not null,
	attempt integer not null,
	operation varchar(255) not null,
	created_at bigint not null,
	answer bytea,
	fingerprint bytea
);

create index if not exists idempotent_receipt_age on idempotent_receipt (created_at);
