-- A campaign can be changed while it runs. Existing campaigns have no such change behind them, so the defaults are right.
alter table campaigns
  -- Mailboxes that left the campaign and still have threads to continue: follow-ups go from them, first contacts do not.
  add kept_provider_ids uuid[] not null default '{}',
  -- The operation whose change is in force already, while it waits for the last message that left under the old plan.
  add updating_operation_id uuid;
