output "l" { value = ns::1() }
