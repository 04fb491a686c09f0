create table if not exists idempotent_record (
	operation_key bytea not null primary key,
	format smallint not null,
	state smallint not null,
	attempt integer not null,
	took_over boolean not null,
	owner bytea,
	fingerprint bytea,
	lease_end bigint not null,
	token_end bigint not null,
	retention bigint not null,
	expires_at bigint not null,
	answer bytea,
	origin varchar(420)
);

create index if not exists idempotent_record_expiry on idempotent_record (expires_at);

create index if not exists idempotent_record_claim on idempotent_record (lease_end) where state = 2;
