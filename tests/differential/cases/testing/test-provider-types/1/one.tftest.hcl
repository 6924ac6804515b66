mock_provider "a" {
}
mock_provider "z" {
}
run "one" {
  providers = {
    a = a
  }
}
run "two" {
  providers = {
    b = a
  }
}
run "three" {
  providers = {
    a = z
  }
}
run "four" {
  providers = {
    b = z
  }
}
