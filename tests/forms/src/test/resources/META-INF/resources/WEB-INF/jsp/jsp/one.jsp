<%@ page contentType="text/html;charset=UTF-8" %><%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %><%@ taglib prefix="spring" uri="http://www.springframework.org/tags" %>
<!DOCTYPE html>
<html>
<body>
<% String app = (String) request.getAttribute("jakarta.servlet.forward.context_path"); %>
<form:form id="create" modelAttribute="order" action="<%= app + \"/orders\" %>"></form:form>
<form:form id="open" modelAttribute="order" action="<%= app + \"/open/orders\" %>"></form:form>
<form:form id="member" modelAttribute="order" action="<%= app + \"/member/orders\" %>"></form:form>
</body>
</html>
