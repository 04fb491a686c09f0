package io.idempotent.http;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.idempotent.ApiIdempotent;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourceRegion;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;

/**
 * Files, and parts of files.
 */
@RestController
@RequestMapping("/files")
@ApiIdempotent
class Files {

	static final byte[] CONTENT = "0123456789abcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);

	static List<Twin> twins() {
		return List.of(Twin.of("a file of the class path", Request.post("/files/class-path")),
				Twin.of("a stream of unknown length", Request.post("/files/stream")),
				Twin.of("a file to download", Request.post("/files/download")),
				Twin.of("a file by GET", Request.get("/files/bytes")),
				Twin.of("the head of a file", Request.of("HEAD", "/files/bytes")),
				Twin.of("the first bytes", Request.get("/files/bytes").header("Range: bytes=0-9"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("the first bytes by POST", Request.post("/files/download").header("Range: bytes=0-9"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("the last bytes", Request.get("/files/bytes").header("Range: bytes=-5"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("two ranges", Request.get("/files/bytes").header("Range: bytes=0-1,10-11"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range beyond the end", Request.get("/files/bytes").header("Range: bytes=100-200"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range beyond the end by POST",
						Request.post("/files/download").header("Range: bytes=100-200"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range beyond the end, later", Request.post("/files/later").header("Range: bytes=100-200"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range beyond the end of a static file",
						Request.get("/files/forwarded").header("Range: bytes=100-200"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range that is none", Request.get("/files/bytes").header("Range: lines=1-2"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a range that the handler refuses",
						Request.get("/files/refused").header("Range: bytes=100-200"))
					.repeated(Twin.Repeat.RUNS),
				Twin.of("a region that the handler chose", Request.get("/files/region"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE));
	}

	@PostMapping("/class-path")
	Resource classPath() {
		return new ClassPathResource("application.properties");
	}

	@PostMapping("/stream")
	ResponseEntity<Resource> stream() {
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_PDF)
			.body(new InputStreamResource(new ByteArrayInputStream(CONTENT)));
	}

	@PostMapping("/download")
	ResponseEntity<Resource> download() {
		return ResponseEntity.ok()
			.contentType(MediaType.TEXT_PLAIN)
			.header(HttpHeaders.CONTENT_DISPOSITION,
					ContentDisposition.attachment()
						.filename("Übersicht.txt", StandardCharsets.UTF_8)
						.build()
						.toString())
			.body(new ByteArrayResource(CONTENT));
	}

	@GetMapping("/bytes")
	@ApiIdempotent
	Resource bytes() {
		return new ByteArrayResource(CONTENT);
	}

	@PostMapping("/later")
	CompletableFuture<Resource> later() {
		return CompletableFuture.completedFuture(new ByteArrayResource(CONTENT));
	}

	@GetMapping("/forwarded")
	@ApiIdempotent
	ModelAndView forwarded() {
		return new ModelAndView("forward:/short.txt");
	}

	@GetMapping("/refused")
	@ApiIdempotent
	Resource refused() {
		throw new ResponseStatusException(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
	}

	@GetMapping("/region")
	@ApiIdempotent
	ResponseEntity<ResourceRegion> region() {
		return ResponseEntity.status(206)
			.contentType(MediaType.TEXT_PLAIN)
			.body(new ResourceRegion(new ByteArrayResource(CONTENT), 10, 5));
	}

}
