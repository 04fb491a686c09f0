<%@ page contentType="text/html;charset=UTF-8" %><%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %><%@ taglib prefix="spring" uri="http://www.springframework.org/tags" %>
<!DOCTYPE html>
<html>
<body>
<% for (Object row : (java.util.List<?>) request.getAttribute("rows")) { %>
<form:form id="<%= \"row-\" + row %>" modelAttribute="order" method="delete" action="<%= \"../../orders/\" + row %>"></form:form>
<% } %>
</body>
</html>
