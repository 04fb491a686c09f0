<%@ page contentType="text/html;charset=UTF-8" %><%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %><%@ taglib prefix="spring" uri="http://www.springframework.org/tags" %>
<!DOCTYPE html>
<html>
<body>
<% String app = (String) request.getAttribute("jakarta.servlet.forward.context_path"); %>
<form:form id="create" modelAttribute="order" action="<%= app + \"/orders\" %>"><form:input path="name"/></form:form>
<form:form id="query" modelAttribute="order" method="POST" action="<%= app + \"/orders?source=mail&x=1\" %>"></form:form>
<form:form id="multipart" modelAttribute="order" action="<%= app + \"/orders\" %>" enctype="multipart/form-data"></form:form>
<form:form id="correct" modelAttribute="order" action="<%= app + \"/orders/a%20b\" %>"></form:form>
<form:form id="edit" modelAttribute="order" method="put" action="<%= app + \"/orders/7\" %>"><form:hidden path="name"/></form:form>
<form:form id="delete" modelAttribute="order" method="delete" action="<%= app + \"/orders/7\" %>"></form:form>
<form:form id="hidden" modelAttribute="order" action="<%= app + \"/baskets/7\" %>"><input type="hidden" name="_method" value="delete"></form:form>
<form:form id="relative" modelAttribute="order" action="../../orders"></form:form>
<form:form id="absolute" modelAttribute="order" action="${root}/orders"></form:form>
<form:form id="session" modelAttribute="order" action="<%= app + \"/orders;jsessionid=A1\" %>"></form:form>
<form:form id="same" modelAttribute="order"></form:form>
<form:form id="params" modelAttribute="order" action="<%= app + \"/cart\" %>"></form:form>
<form:form id="several" modelAttribute="order" action="<%= app + \"/step\" %>"></form:form>
<form:form id="get" modelAttribute="order" method="get" action="<%= app + \"/orders\" %>"></form:form>
<form:form id="search" modelAttribute="order" action="<%= app + \"/orders/search\" %>"></form:form>
<form:form id="header" modelAttribute="order" action="<%= app + \"/payments\" %>"></form:form>
<form:form id="json" modelAttribute="order" action="<%= app + \"/json\" %>"></form:form>
<form:form id="elsewhere" modelAttribute="order" action="https://example.com/shop/orders"></form:form>
<form:form id="schemeless" modelAttribute="order" action="//example.com/shop/orders"></form:form>
<form:form id="outside" modelAttribute="order" action="/orders"></form:form>
</body>
</html>
