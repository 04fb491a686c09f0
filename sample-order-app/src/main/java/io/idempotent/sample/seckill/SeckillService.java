package io.idempotent.sample.seckill;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import io.idempotent.lock.DistributedLocked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

@Service
class SeckillService {

	private static final Logger logger = LoggerFactory.getLogger(SeckillService.class);

	private static final int ATTEMPTS = 20;

	private final StockRepository stocks;

	private final PurchaseRepository purchases;

	SeckillService(StockRepository stocks, PurchaseRepository purchases) {
		this.stocks = stocks;
		this.purchases = purchases;
	}

	/**
	 * Sells one piece to a customer who has none. The lock keeps that true until the sale
	 * is committed, and only requests of the same customer wait for it. The stock, which
	 * all customers share, is protected by its version. Isolation is read committed, so
	 * that each attempt sees the sales that were committed in the meantime.
	 */
	@DistributedLocked(name = "seckill", key = "#sku + '.' + #userId")
	@Transactional(isolation = Isolation.READ_COMMITTED)
	Purchase buy(String sku, String userId) {
		if (this.purchases.existsBySkuAndUserId(sku, userId)) {
			throw new AlreadyBoughtException(sku, userId, null);
		}
		takeOne(sku);
		return record(sku, userId);
	}

	Optional<Purchase> purchase(String sku, String userId) {
		return this.purchases.findBySkuAndUserId(sku, userId);
	}

	Stock stock(String sku) {
		return this.stocks.findById(sku).orElseThrow(() -> new UnknownSkuException(sku));
	}

	private void takeOne(String sku) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Stock stock = stock(sku);
			if (stock.amount() <= 0) {
				throw new SoldOutException(sku);
			}
			if (this.stocks.takeOne(sku, stock.version())) {
				return;
			}
		}
		throw new StockBusyException(sku);
	}

	private Purchase record(String sku, String userId) {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		try {
			return this.purchases.save(new Purchase(null, sku, userId, now));
		}
		catch (DuplicateKeyException ex) {
			// Any lock can be lost, so a unique key in the database decides. It should
			// never be violated.
			logger.warn("The lock of a sale did not hold: the database refused a second {} for {}", sku, userId);
			throw new AlreadyBoughtException(sku, userId, ex);
		}
	}

}
