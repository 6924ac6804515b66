output "l" { value = 1 == == 2}
