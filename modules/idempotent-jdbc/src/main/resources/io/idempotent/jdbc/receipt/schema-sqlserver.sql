if object_id('idempotent_receipt') is null
create table idempotent_receipt (
	operation_key varbinary(32) not null primary key,
	owner varbinary(16) not null,
	attempt int not null,
	operation nvarchar(255) not null,
	created_at bigint not null,
	answer varbinary(max),
	fingerprint varbinary(32)
);

if indexproperty(object_id('idempotent_receipt'), 'idempotent_receipt_age', 'IndexID') is null
create index idempotent_receipt_age on idempotent_receipt (created_at);
