<%@ page contentType="text/html;charset=UTF-8" %><%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %><%@ taglib prefix="spring" uri="http://www.springframework.org/tags" %>
<!DOCTYPE html>
<html>
<body>
<form:form id="get" modelAttribute="order" method="get" action="../../orders"></form:form>
<form:form id="search" modelAttribute="order" action="../../orders/search"></form:form>
</body>
</html>
