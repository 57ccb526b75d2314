// Package door is what every page of the site goes through: who asks, from where, how much, and how they are answered.
//
// Each part embeds the one before it. A method stands on the lowest part that has all it needs:
//
//	Journal     the log, the metrics, what was refused      logging.go, metrics.go
//	Gateway     where the site is, and who asks             gateway.go, site_token.go, address.go, host.go, machine.go, cookie.go, visitor.go, embed.go, language.go, policy.go
//	Guard       how much a network and a person may ask for guard.go, reading.go, socket.go, incoming.go (gorilla), resend.go
//	Responder   pages, errors, settings, pictures of links  answer.go, settings.go, cards.go, class_link.go, author.go
//
// A handler refuses a request with a refusal.Error, which has a status and a sentence. The package knows no page.
package door
