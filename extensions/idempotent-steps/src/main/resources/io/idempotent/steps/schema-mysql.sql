create table if not exists idempotent_operation (
	operation_key binary(32) not null primary key,
	owner binary(16) not null,
	operation varchar(255) character set utf8mb4 not null,
	namespace varchar(255) character set utf8mb4 not null,
	fingerprint binary(32) not null,
	node varchar(255) character set utf8mb4 not null,
	attempts integer not null,
	created_at bigint not null,
	changed_at bigint not null,
	ended_at bigint,
	arguments longblob,
	resume_at bigint,
	resumptions integer not null,
	error varchar(500) character set utf8mb4,
	index idempotent_operation_age (changed_at),
	index idempotent_operation_unfinished (ended_at, changed_at),
	index idempotent_operation_resume (resume_at)
) engine = InnoDB;

create table if not exists idempotent_step (
	operation_key binary(32) not null,
	name varchar(100) character set utf8mb4 collate utf8mb4_0900_bin not null,
	state varchar(10) character set ascii not null,
	result longblob,
	error varchar(500) character set utf8mb4,
	node varchar(255) character set utf8mb4 not null,
	started_at bigint not null,
	done_at bigint,
	primary key (operation_key, name),
	foreign key (operation_key) references idempotent_operation (operation_key) on delete cascade
) engine = InnoDB;
