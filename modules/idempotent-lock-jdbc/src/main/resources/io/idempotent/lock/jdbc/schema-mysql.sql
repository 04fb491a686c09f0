create table if not exists idempotent_lock (
	name varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
	owner varchar(100) character set ascii collate ascii_bin,
	token bigint not null,
	expires_at datetime(6) not null,
	readers_until datetime(6),
	waiter varchar(100) character set ascii collate ascii_bin,
	waits_until datetime(6),
	turn_until datetime(6)
) engine = InnoDB;

create table if not exists idempotent_lock_reader (
	name varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
	owner varchar(100) character set ascii collate ascii_bin not null,
	expires_at datetime(6) not null,
	primary key (name, owner)
) engine = InnoDB;

create table if not exists idempotent_transaction_lock (
	name varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
	token bigint not null
) engine = InnoDB;

create table if not exists idempotent_lock_epoch (
	name varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null primary key,
	version bigint not null,
	document mediumtext character set utf8mb4 not null
) engine = InnoDB;
