package io.idempotent.programs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShrinkerTests {

	@Test
	void irrelevantStatementsAreRemoved() {
		Program program = ProgramReader.read("""
				program receipts redis
				key k1 NESTED
				key k2 REQUIRES_NEW
				write
				tx other requires-new serializable {
				  catch {
				    call k2 {
				      write
				      throw
				    }
				    flush
				  }
				  call k1 {
				  }
				}
				""");
		Program smallest = new Shrinker((each) -> each.toString().contains("throw")).shrink(program);
		assertThat(smallest.toString()).isEqualTo("""
				program receipts local
				key k1 PLAIN
				throw
				""");
	}

	@Test
	void relevantStatementsStay() {
		Program program = ProgramReader.read("""
				program plain local
				key k1 PLAIN
				tx main required {
				  call k1 {
				  }
				}
				""");
		assertThat(new Shrinker(program::equals).shrink(program)).isEqualTo(program);
	}

}
