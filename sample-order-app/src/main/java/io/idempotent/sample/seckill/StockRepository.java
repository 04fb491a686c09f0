package io.idempotent.sample.seckill;

import java.util.Optional;

import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

interface StockRepository extends Repository<Stock, String> {

	Optional<Stock> findById(String sku);

	/**
	 * Takes one piece from the stock, unless the stock has changed since it was read.
	 * @param sku the article
	 * @param version the version that was read
	 * @return whether a piece was taken
	 */
	@Modifying
	@Query("""
			update stock set amount = amount - 1, version = version + 1
			where sku = :sku and version = :version and amount > 0
			""")
	boolean takeOne(String sku, long version);

}
