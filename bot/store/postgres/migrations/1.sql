-- Names are bytes, for PostgreSQL's texts hold no NUL; so are times, which it
-- knows to the microsecond only: twelve bytes that sort as the times do.
create sequence table_ids;
create sequence post_ids;
create sequence timer_ids;

create table rooms (
	channel bytea primary key,
	table_id bigint not null
);

create table tables (
	id bigint primary key,
	channel bytea not null,
	seated bytea[] not null
);

create table events (
	table_id bigint not null,
	number bigint not null,
	data bytea not null,
	primary key (table_id, number)
);

create table playing (
	player bytea not null,
	table_id bigint not null,
	primary key (player, table_id)
);

create table named (
	player bytea not null,
	table_id bigint not null,
	primary key (player, table_id)
);

create table receipts (
	channel bytea not null,
	request bytea not null,
	table_id bigint not null,
	first bigint not null,
	past bigint not null,
	filed bytea not null,
	primary key (channel, request)
);
create index receipts_filed on receipts (filed);

-- A post is a head when it is the first of its lane.
create table posts (
	id bigint primary key,
	platform bytea not null,
	channel bytea not null,
	player bytea not null,
	table_id bigint not null,
	first bigint not null,
	past bigint not null,
	kind bytea not null,
	at bytea not null,
	tries bigint not null default 0,
	until bytea not null,
	head boolean not null,
	holder bytea,
	fence bigint not null default 0
);
create index posts_lanes on posts (channel, player, id);
create index posts_heads on posts (platform, until) where head;
create index posts_held on posts (holder) where holder is not null;

create table timers (
	id bigint primary key,
	at bytea not null,
	channel bytea not null,
	table_id bigint not null,
	number bigint not null,
	kind bytea not null,
	holder bytea,
	fence bigint not null default 0
);
create index timers_at on timers (at, id);
create index timers_held on timers (holder) where holder is not null;

create table holders (
	name bytea primary key,
	until bytea not null
);

create table jobs (
	name bytea primary key,
	holder bytea not null
);

create table notes (
	adapter bytea not null,
	shelf bytea not null,
	key bytea not null,
	value bytea not null,
	primary key (adapter, shelf, key)
);

create table journals (
	adapter bytea not null,
	name bytea not null,
	last bigint not null,
	primary key (adapter, name)
);

create table lines (
	adapter bytea not null,
	journal bytea not null,
	number bigint not null,
	data bytea not null,
	primary key (adapter, journal, number)
);

create table linekeys (
	adapter bytea not null,
	journal bytea not null,
	key bytea not null,
	number bigint not null,
	primary key (adapter, journal, key)
);
