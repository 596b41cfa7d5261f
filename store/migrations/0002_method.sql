-- What a call asks for: '' is a tool call, else the protocol's method.
ALTER TABLE calls ADD COLUMN method TEXT NOT NULL DEFAULT '';
CREATE INDEX calls_parent ON calls (parent, ordinal) WHERE parent <> '';
