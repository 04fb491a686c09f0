package com.example;

import java.io.IOException;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.WhenNotObtained;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Writes a report, unless another node is writing it.
 */
@SpringBootApplication
public class ReportApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(ReportApplication.class, arguments).close();
	}

	@Bean
	Report report() {
		return new Report();
	}

	@Bean
	CommandLineRunner reporter(Report report) {
		return (arguments) -> {
			Boolean written = report.write();
			System.out.println((written != null) ? "Written" : "Skipped");
		};
	}

	static class Report {

		/** Takes as long as its standard input is open. */
		@DistributedLocked(name = "report", onNotObtained = WhenNotObtained.SKIP)
		Boolean write() throws IOException {
			System.out.println("Writing");
			System.in.readAllBytes();
			return true;
		}

	}

}
