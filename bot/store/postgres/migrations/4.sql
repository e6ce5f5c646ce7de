-- What was a line of a journal is a note on a shelf of the journal's name, and its key one
-- on another; bot/notes says how they are called.
insert into notes (adapter, shelf, key, value)
	select adapter, journal, convert_to(lpad(to_hex(9223372036854775807 - number), 16, '0'), 'UTF8'), data from lines;
insert into notes (adapter, shelf, key, value)
	select adapter, convert_to('keys/', 'UTF8') || journal, key, convert_to(number::text, 'UTF8') from linekeys;
drop table lines, linekeys, journals;
