-- An event's link to the one before it, as the page data/formats/file.md says; an event
-- that an older program added has none, and none behind it has. They count where they
-- were made for the edition that the table has.
alter table events add column link bytea;
alter table tables add column linked bigint not null default 0;
