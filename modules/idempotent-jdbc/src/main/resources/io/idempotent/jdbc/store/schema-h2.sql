create table if not exists idempotent_record (
	operation_key binary(32) not null primary key,
	format smallint not null,
	state smallint not null,
	attempt integer not null,
	took_over boolean not null,
	owner binary(16),
	fingerprint binary(32),
	lease_end bigint not null,
	token_end bigint not null,
	retention bigint not null,
	expires_at bigint not null,
	answer binary large object,
	origin varchar(420)
);

create index if not exists idempotent_record_expiry on idempotent_record (expires_at);

create index if not exists idempotent_record_claim on idempotent_record (state, lease_end);
