create table idempotent_receipt (
	operation_key raw(32) not null primary key,
	owner raw(16) not null,
	attempt number(10) not null,
	operation varchar2(255 char) not null,
	created_at number(19) not null,
	answer blob,
	fingerprint raw(32)
);

create index idempotent_receipt_age on idempotent_receipt (created_at);
