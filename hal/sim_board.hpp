#pragma once
// A simulated board: hands play a game, set up the pieces and play on, for ever. What they do goes
// through the board wire and the board session like a real board's packets, so that a newcomer
// without hardware runs the real decoder. Owned by the shell; io thread.
#include "hal/board_model.hpp"
#include "hal/board_session.hpp"
#include "hal/pacer.hpp"
#include "hal/series.hpp"
#include "hal/sources.hpp"

namespace xq::hal {

class SimBoard : public SensorSource {
public:
    SimBoard(const boost::asio::any_io_executor& io, Now now, std::vector<Game> games, double speed,
             HandOptions hands);

    void start(Sink sink, Notice notice) override;
    void send(const protocol::wire::Command& command) override;
    void stop() override;

private:
    void happens(protocol::Timed line);
    void feed(const BoardModel::Packets& packets, protocol::Millis t);
    void carry_out(BoardSession::Out& out, protocol::Millis t);

    Pacer pacer_;
    Now now_;
    Series series_;
    BoardModel model_;
    BoardSession session_{false};
    Sink sink_;
    Notice notice_;
    bool running_ = false;
    bool connected_ = false;
    protocol::Millis began_ = 0;  ///< the daemon's clock when the hands' time was 0
};

}  // namespace xq::hal
