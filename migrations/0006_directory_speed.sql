-- Looking up what is known to be there, once more for every row, was a good part of a large import or export.

-- An import gives out the numbers of places and companies itself, under the directory's lock, and neither is ever deleted.
alter table companies drop constraint companies_place_id_fkey;
alter table company_domains drop constraint company_domains_company_id_fkey;

-- All rows of a purchase are of one workspace, that of its operation, and checking each of them took about as long as
-- writing it. The price: who deletes a workspace by hand has to delete these rows too; nothing here deletes one.
alter table workspace_people drop constraint workspace_people_workspace_id_fkey;
-- What a workspace owns is asked for as a whole, or by the hash of an address: the key serves both.
drop index workspace_people_by_person;
