create table idempotent_fence (
	name varchar2(255 char) not null primary key,
	token number(19) not null
);
