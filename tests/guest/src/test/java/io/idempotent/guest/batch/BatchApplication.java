package io.idempotent.guest.batch;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs a job at its start.
 */
@SpringBootApplication
public class BatchApplication {

	@Bean
	PlatformTransactionManager transactionManager() {
		return new ResourcelessTransactionManager();
	}

	@Bean
	Job job(JobRepository repository, PlatformTransactionManager transactions) {
		return new JobBuilder("job", repository)
			.start(new StepBuilder("step", repository)
				.tasklet((contribution, chunk) -> RepeatStatus.FINISHED, transactions)
				.build())
			.build();
	}

}
