package io.idempotent.embedded;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisBinary}.
 */
class RedisBinaryTests {

	@ParameterizedTest
	@CsvSource({ "Linux,amd64", "Linux,aarch64", "Mac OS X,x86_64", "Mac OS X,aarch64" })
	void isAvailable(String system, String processor) {
		assertThat(new RedisBinary(system, processor).isAvailable()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "Windows 11,amd64", "Linux,riscv64", "SunOS,sparcv9" })
	void aMissingBinaryIsReportedWithTheSettingToUse(String system, String processor, @TempDir Path directory) {
		RedisBinary binary = new RedisBinary(system, processor);
		assertThat(binary.isAvailable()).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> binary.unpackInto(directory))
			.withMessageContaining(system)
			.withMessageContaining("spring.data.redis.host")
			.withMessageContaining("spring.data.redis.port");
	}

	@Test
	void unpackedServerCanBeExecutedByItsOwnerOnly(@TempDir Path directory) throws Exception {
		Path executable = RedisBinary.forThisMachine().unpackInto(directory);
		assertThat(executable).isExecutable();
		assertThat(Files.getPosixFilePermissions(executable)).hasSize(2);
	}

}
