-- The master key of the installation, from which every other is derived, sealed under OVERTURE_SECRET_KEY. The fingerprint
-- says which secret key that was, so that a process with another one can refuse to work and say why.
create table installation_keys (
  only_row boolean primary key default true check (only_row),
  fingerprint text not null,
  sealed_master bytea not null,
  created_at timestamptz(3) not null default now(),
  rotated_at timestamptz(3)
);
