-- How often a table's events were changed otherwise than by more of them.
alter table tables add column edition bigint not null default 0;
