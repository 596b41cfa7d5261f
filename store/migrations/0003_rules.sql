-- The rule that decided a call; '' where a person did.
ALTER TABLE calls ADD COLUMN rule TEXT NOT NULL DEFAULT '';
CREATE INDEX calls_rule ON calls (rule, ordinal) WHERE rule <> '';

-- What a person trusts is made anew from its events at each start.
CREATE INDEX events_trust ON events (seq) WHERE kind IN ('trust.rule', 'trust.tool');
