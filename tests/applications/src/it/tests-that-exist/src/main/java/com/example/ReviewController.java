package com.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.idempotent.ApiIdempotent;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.multipart.MultipartFile;

@Controller
class ReviewController {

	private final JdbcClient sql;

	ReviewController(JdbcClient sql) {
		this.sql = sql;
	}

	@PostMapping("/reviews")
	@ApiIdempotent
	String write(@RequestParam String text) {
		insert(text);
		return "redirect:/reviews/count";
	}

	@PostMapping("/reviews/file")
	@ApiIdempotent
	String upload(@RequestParam MultipartFile text) throws IOException {
		insert(new String(text.getBytes(), StandardCharsets.UTF_8));
		return "redirect:/reviews/count";
	}

	@GetMapping("/reviews/count")
	@ResponseBody
	String count() {
		return this.sql.sql("select count(*) from reviews").query(String.class).single();
	}

	private void insert(String text) {
		this.sql.sql("insert into reviews (text) values (?)").param(text).update();
	}

}
