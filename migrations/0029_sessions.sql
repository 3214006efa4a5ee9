-- A browser holds a session instead of a token: a random secret in a cookie that scripts cannot read. It acts as the token that it
-- was made from and ends with it. Only the hash of the secret is kept.
create table sessions (
  id uuid primary key,
  token_id uuid not null references tokens on delete cascade,
  hash bytea not null unique,
  user_agent text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
create index sessions_of_token on sessions (token_id, created_at desc, id desc);

-- A link that signs in once, as a token. A code that was used stays until it would have expired.
create table sign_in_codes (
  hash bytea primary key,
  token_id uuid not null references tokens on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_in_codes_of_token on sign_in_codes (token_id);
