package com.example;

import org.junit.jupiter.api.Test;
import org.mockito.Answers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.redirectedUrl;

@WebMvcTest(ReviewController.class)
class ReviewSliceTests {

	@Autowired
	private MockMvc mvc;

	@MockitoBean(answers = Answers.RETURNS_DEEP_STUBS)
	private JdbcClient sql;

	@Test
	void takesAReview() throws Exception {
		this.mvc.perform(post("/reviews").param("text", "good")).andExpect(redirectedUrl("/reviews/count"));
	}

}
