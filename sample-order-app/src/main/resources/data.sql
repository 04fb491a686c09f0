insert into stock (sku, amount, version)
select 'first-flush', 10, 0 where not exists (select 1 from stock where sku = 'first-flush');

insert into stock (sku, amount, version)
select 'second-flush', 1000, 0 where not exists (select 1 from stock where sku = 'second-flush');
