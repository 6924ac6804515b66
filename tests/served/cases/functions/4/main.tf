terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "terraform_data" "t" {
  input = "x"
}
output "results" {
  value = {
    echo     = [provider::probe::echo("s"), provider::probe::echo([1, null]), provider::probe::echo({ a = true }), provider::probe::echo(null)]
    sum      = [provider::probe::sum(1), provider::probe::sum(1, 2, 3), provider::probe::sum([4, 5]...), provider::probe::sum("6")]
    default  = [provider::probe::or_default(null, "d"), provider::probe::or_default("v", "d")]
    known    = [provider::probe::is_known("k"), provider::probe::is_known(null)]
    describe = [provider::probe::describe(), provider::probe::describe(1, "s", [true], { a = null }, null)]
    pair     = provider::probe::pair([{ a = "1" }, { a = 2, b = "dropped" }])
    fail     = [provider::probe::fail("a", "b"), can(provider::probe::fail("here")), try(provider::probe::fail("all"), "caught")]
  }
}
output "secret" {
  value     = provider::probe::echo(sensitive("s"))
  sensitive = true
}
output "bad" {
  value = provider::probe::fail("throw")
}
