-- New campaigns measure nothing unless they are told to: a pixel and links that lead elsewhere cost more messages than they tell
-- about. Campaigns that are there keep their settings.
alter table campaigns
  alter track_opens set default false,
  alter track_clicks set default false,
  add unsubscribe text not null default 'header' check (unsubscribe in ('header', 'link', 'reply-line')),
  add opt_out_text text;
