create table if not exists idempotent_operation (
	operation_key bytea not null primary key,
	owner bytea not null,
	operation varchar(255) not null,
	namespace varchar(255) not null,
	fingerprint bytea not null,
	node varchar(255) not null,
	attempts integer not null,
	created_at bigint not null,
	changed_at bigint not null,
	ended_at bigint,
	arguments bytea,
	resume_at bigint,
	resumptions integer not null,
	error varchar(500)
);

create index if not exists idempotent_operation_age on idempotent_operation (changed_at);

create index if not exists idempotent_operation_unfinished on idempotent_operation (changed_at) where ended_at is null;

create index if not exists idempotent_operation_resume on idempotent_operation (resume_at) where resume_at is not null;

create table if not exists idempotent_step (
	operation_key bytea not null references idempotent_operation on delete cascade,
	name varchar(100) not null,
	state varchar(10) not null,
	result bytea,
	error varchar(500),
	node varchar(255) not null,
	started_at bigint not null,
	done_at bigint,
	primary key (operation_key, name)
);
