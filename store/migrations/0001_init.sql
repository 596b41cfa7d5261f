-- The ledger: events are written once. Their stored bytes are the leaves of
-- one Merkle log (RFC 6962); tree holds its node hashes in the order of
-- golang.org/x/mod/sumdb/tlog.
CREATE TABLE events (
  seq    INTEGER PRIMARY KEY,
  time   INTEGER NOT NULL,             -- microseconds since 1970, UTC
  kind   TEXT NOT NULL,
  call   TEXT NOT NULL DEFAULT '',
  server TEXT NOT NULL DEFAULT '',
  stored BLOB NOT NULL
) STRICT;
CREATE INDEX events_call ON events (call, seq) WHERE call <> '';
CREATE INDEX events_server ON events (server, seq) WHERE server <> '';

CREATE TABLE tree (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL
) STRICT;

-- An INSERT OR REPLACE deletes without asking the triggers of DELETE, so the
-- triggers of INSERT only let the next number in.
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are written once'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are written once'); END;
CREATE TRIGGER events_append BEFORE INSERT ON events WHEN NEW.seq <= (SELECT max(seq) FROM events)
  BEGIN SELECT RAISE(ABORT, 'events are only appended'); END;
CREATE TRIGGER tree_no_update BEFORE UPDATE ON tree BEGIN SELECT RAISE(ABORT, 'the log is written once'); END;
CREATE TRIGGER tree_no_delete BEFORE DELETE ON tree BEGIN SELECT RAISE(ABORT, 'the log is written once'); END;
CREATE TRIGGER tree_append BEFORE INSERT ON tree WHEN NEW.id <> (SELECT coalesce(max(id) + 1, 0) FROM tree)
  BEGIN SELECT RAISE(ABORT, 'the log is only appended'); END;

-- Payloads are named in events by salted hash. The salt lies here and goes
-- with the payload. Bytes past the first MiB lie in parts of one MiB, so that
-- neither writing nor searching takes a large payload whole.
CREATE TABLE payloads (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL UNIQUE,          -- hex SHA-256 of salt and bytes
  salt  BLOB NOT NULL,
  bytes BLOB NOT NULL                  -- the first MiB
) STRICT;

CREATE TABLE payload_parts (
  payload INTEGER NOT NULL REFERENCES payloads (id) ON DELETE CASCADE,
  part    INTEGER NOT NULL,            -- from 1
  bytes   BLOB NOT NULL,
  PRIMARY KEY (payload, part)
) STRICT;

CREATE TRIGGER payloads_no_update BEFORE UPDATE ON payloads BEGIN SELECT RAISE(ABORT, 'payloads are written once'); END;
CREATE TRIGGER payload_parts_no_update BEFORE UPDATE ON payload_parts BEGIN SELECT RAISE(ABORT, 'payloads are written once'); END;

-- Calls are a projection of the events, changed only together with them.
CREATE TABLE calls (
  ordinal         INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  created         INTEGER NOT NULL,
  updated         INTEGER NOT NULL,
  state           TEXT NOT NULL,
  origin          TEXT NOT NULL,
  origin_detail   TEXT NOT NULL,
  server_id       TEXT NOT NULL,
  server_name     TEXT NOT NULL,
  tool            TEXT NOT NULL,
  tool_title      TEXT NOT NULL,
  definition      TEXT NOT NULL,
  parent          TEXT NOT NULL,
  revision        INTEGER NOT NULL,
  args_payload    TEXT NOT NULL,
  args_hash       TEXT NOT NULL,
  launch          TEXT NOT NULL,
  decision        TEXT NOT NULL,
  decision_reason TEXT NOT NULL,
  decided         INTEGER,
  shown           INTEGER,
  sent            INTEGER,
  finished        INTEGER,
  deadline        INTEGER,
  attempt         INTEGER NOT NULL,
  round           INTEGER NOT NULL,
  era             TEXT NOT NULL,
  result_payload  TEXT NOT NULL,
  is_error        INTEGER NOT NULL,
  error_code      INTEGER NOT NULL,
  error_text      TEXT NOT NULL,
  request_state   TEXT,
  args_bytes      INTEGER NOT NULL,
  result_bytes    INTEGER NOT NULL,
  indexed         INTEGER NOT NULL DEFAULT 0  -- the text search has the row as it is
) STRICT;
CREATE INDEX calls_server ON calls (server_id, ordinal);
CREATE INDEX calls_tool ON calls (tool, ordinal);
CREATE INDEX calls_state ON calls (state, ordinal);
CREATE INDEX calls_unindexed ON calls (ordinal) WHERE indexed = 0;

-- The words of a call, by ordinal. Its text is not kept a second time.
CREATE VIRTUAL TABLE call_search USING fts5 (
  text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 tokenchars '_'", prefix='2 3'
);

CREATE TABLE definitions (
  hash       TEXT NOT NULL,
  server_id  TEXT NOT NULL,
  name       TEXT NOT NULL,
  raw        BLOB NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen  INTEGER NOT NULL,
  PRIMARY KEY (hash, server_id)
) STRICT;
CREATE INDEX definitions_tool ON definitions (server_id, name, first_seen);

CREATE TABLE listings (
  server_id   TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  info        BLOB NOT NULL,
  received    INTEGER NOT NULL
) STRICT;

CREATE TABLE list_pages (
  server_id   TEXT NOT NULL REFERENCES listings (server_id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  cursor      TEXT,
  raw         BLOB NOT NULL,
  received    INTEGER NOT NULL,
  ttl_ms      INTEGER NOT NULL,        -- -1: the server gave none
  cache_scope TEXT NOT NULL,
  version     TEXT NOT NULL,
  PRIMARY KEY (server_id, position)
) STRICT;

CREATE TABLE servers (
  id       TEXT PRIMARY KEY,
  name     TEXT NOT NULL,
  kind     TEXT NOT NULL,
  config   BLOB NOT NULL,
  enabled  INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created  INTEGER NOT NULL,
  updated  INTEGER NOT NULL,
  deleted  INTEGER
) STRICT;

CREATE TABLE consents (
  server_id   TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  given       INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;

CREATE TABLE icons (
  hash      TEXT NOT NULL,
  server_id TEXT NOT NULL,
  source    TEXT NOT NULL,
  mime      TEXT NOT NULL,
  bytes     BLOB NOT NULL,
  fetched   INTEGER NOT NULL,
  PRIMARY KEY (server_id, source)
) STRICT;
CREATE INDEX icons_hash ON icons (hash);
