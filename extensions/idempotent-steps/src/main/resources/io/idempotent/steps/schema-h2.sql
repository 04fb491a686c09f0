create table if not exists idempotent_operation (
	operation_key binary(32) not null primary key,
	owner binary(16) not null,
	operation varchar(255) not null,
	namespace varchar(255) not null,
	fingerprint binary(32) not null,
	node varchar(255) not null,
	attempts integer not null,
	created_at bigint not null,
	changed_at bigint not null,
	ended_at bigint,
	arguments binary large object,
	resume_at bigint,
	resumptions integer not null,
	error varchar(500)
);

create index if not exists idempotent_operation_age on idempotent_operation (changed_at);

create index if not exists idempotent_operation_unfinished on idempotent_operation (ended_at, changed_at);

create index if not exists idempotent_operation_resume on idempotent_operation (resume_at);

create table if not exists idempotent_step (
	operation_key binary(32) not null references idempotent_operation on delete cascade,
	name varchar(100) not null,
	state varchar(10) not null,
	result binary large object,
	error varchar(500),
	node varchar(255) not null,
	started_at bigint not null,
	done_at bigint,
	primary key (operation_key, name)
);
