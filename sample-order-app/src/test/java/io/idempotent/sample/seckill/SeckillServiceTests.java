package io.idempotent.sample.seckill;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@link SeckillService} does when others are faster, as hardly any run against a
 * database shows.
 */
class SeckillServiceTests {

	@Test
	void saleIsGivenUpAfterRepeatedConflicts() {
		assertThatExceptionOfType(StockBusyException.class)
			.isThrownBy(() -> new SeckillService(new Stocks(false), new Purchases()).buy("assam", "una"))
			.satisfies((ex) -> assertProblem(ex, HttpStatus.SERVICE_UNAVAILABLE, "stock-busy"))
			.satisfies((ex) -> assertThat(ex.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1"));
	}

	@Test
	void databasePreventsOversellingWithoutTheLock() {
		assertThatExceptionOfType(AlreadyBoughtException.class)
			.isThrownBy(() -> new SeckillService(new Stocks(true), new Purchases()).buy("assam", "una"))
			.withCauseInstanceOf(DuplicateKeyException.class)
			.satisfies((ex) -> assertProblem(ex, HttpStatus.CONFLICT, "already-bought"));
	}

	private static void assertProblem(ErrorResponseException ex, HttpStatus status, String code) {
		assertThat(ex.getStatusCode()).isEqualTo(status);
		assertThat(ex.getBody().getProperties()).containsEntry("code", code);
	}

	/**
	 * A stock that has one left.
	 *
	 * @param free whether nobody else is at it
	 */
	private record Stocks(boolean free) implements StockRepository {

		@Override
		public Optional<Stock> findById(String sku) {
			return Optional.of(new Stock(sku, 1, 0));
		}

		@Override
		public boolean takeOne(String sku, long version) {
			return this.free;
		}

	}

	/**
	 * Shows no purchase and takes none, since another one is just being committed.
	 */
	private static final class Purchases implements PurchaseRepository {

		@Override
		public boolean existsBySkuAndUserId(String sku, String userId) {
			return false;
		}

		@Override
		public Optional<Purchase> findBySkuAndUserId(String sku, String userId) {
			return Optional.empty();
		}

		@Override
		public Purchase save(Purchase purchase) {
			throw new DuplicateKeyException("sku, user_id");
		}

	}

}
