if object_id('idempotent_fence') is null
create table idempotent_fence (
	name nvarchar(255) collate Latin1_General_100_BIN2 not null primary key,
	token bigint not null
);
