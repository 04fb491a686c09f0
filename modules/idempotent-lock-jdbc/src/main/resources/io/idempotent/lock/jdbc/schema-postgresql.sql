create table if not exists idempotent_lock (
	name varchar(255) collate "C" not null primary key,
	owner varchar(100),
	token bigint not null,
	expires_at timestamp(6) with time zone not null,
	readers_until timestamp(6) with time zone,
	waiter varchar(100),
	waits_until timestamp(6) with time zone,
	turn_until timestamp(6) with time zone
);

create table if not exists idempotent_lock_reader (
	name varchar(255) collate "C" not null,
	owner varchar(100) not null,
	expires_at timestamp(6) with time zone not null,
	primary key (name, owner)
);

create table if not exists idempotent_transaction_lock (
	name varchar(255) collate "C" not null primary key,
	token bigint not null
);

create table if not exists idempotent_lock_epoch (
	name varchar(255) collate "C" not null primary key,
	version bigint not null,
	document text not null
);
