package io.idempotent.sample.seckill;

import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What {@link SeckillService} does when others are faster, as hardly any run against a
 * database shows.
 */
class SeckillServiceTests {

	private final StockRepository stocks = mock();

	private final PurchaseRepository purchases = mock();

	private final SeckillService service = new SeckillService(this.stocks, this.purchases);

	@BeforeEach
	void haveOneLeft() {
		given(this.stocks.findById("assam")).willReturn(Optional.of(new Stock("assam", 1, 0)));
	}

	@Test
	void saleIsGivenUpAfterRepeatedConflicts() {
		assertThatExceptionOfType(StockBusyException.class).isThrownBy(() -> this.service.buy("assam", "una"))
			.satisfies((ex) -> assertProblem(ex, HttpStatus.SERVICE_UNAVAILABLE, "stock-busy"))
			.satisfies((ex) -> assertThat(ex.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1"));
	}

	@Test
	void databasePreventsOversellingWithoutTheLock() {
		given(this.stocks.takeOne("assam", 0)).willReturn(true);
		given(this.purchases.save(any())).willThrow(new DuplicateKeyException("sku, user_id"));
		assertThatExceptionOfType(AlreadyBoughtException.class).isThrownBy(() -> this.service.buy("assam", "una"))
			.withCauseInstanceOf(DuplicateKeyException.class)
			.satisfies((ex) -> assertProblem(ex, HttpStatus.CONFLICT, "already-bought"));
	}

	private static void assertProblem(ErrorResponseException ex, HttpStatus status, String code) {
		assertThat(ex.getStatusCode()).isEqualTo(status);
		assertThat(ex.getBody().getProperties()).containsEntry("code", code);
	}

}
